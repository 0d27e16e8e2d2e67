// Numbers by which events identify code.
#ifndef QS_CODE_TABLE_H
#define QS_CODE_TABLE_H

// Writes the definitions of all code of the session again.
void qs_codes_record_again(void);

#endif
