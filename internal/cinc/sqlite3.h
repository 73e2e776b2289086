/* The name under which sqlite-vec and internal/sqlext include SQLite's header: the one of the library that is linked. */
#include "sqlite3-binding.h"
