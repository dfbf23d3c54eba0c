#ifndef FOOTFALL_CGSL_SHIM_H
#define FOOTFALL_CGSL_SHIM_H

#include <gsl/gsl_errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>

#endif
