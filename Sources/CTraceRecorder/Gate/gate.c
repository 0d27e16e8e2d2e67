#include "gate.h"

struct qs_gate qs_gate;
