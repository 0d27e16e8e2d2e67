// The preload object, which the build puts beside the executables (Tools/PreloadPlugin).
//
// A target in C, as SwiftPM adds code to a Swift target with resources that links all of Foundation.
#ifndef QS_CPRELOAD_OBJECT_H
#define QS_CPRELOAD_OBJECT_H

// Where it is, from the folder of the executables.
const char *qs_preload_object_path(void);

#endif
