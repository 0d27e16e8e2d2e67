// The preload object, which the build puts next to the executables (Tools/PreloadPlugin).
//
// This target is in C because SwiftPM adds code that links all of Foundation to a Swift target with resources.
#ifndef QS_CPRELOAD_OBJECT_H
#define QS_CPRELOAD_OBJECT_H

// Path of the object, relative to the folder of the executables.
const char *qs_preload_object_path(void);

#endif
