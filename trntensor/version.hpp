// The version, in one place: CMake, the package and the program read it from here.
#pragma once

#define TRNTENSOR_VERSION_MAJOR 0
#define TRNTENSOR_VERSION_MINOR 1
#define TRNTENSOR_VERSION_PATCH 0
#define TRNTENSOR_VERSION "0.1.0"
