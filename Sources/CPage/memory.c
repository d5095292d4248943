#include <malloc.h>

#include "cpage.h"

void cpage_trim(void) { malloc_trim(0); }
