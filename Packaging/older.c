/* The Swift runtime asks for three functions in their versions of glibc 2.35 and of GCC 12, because it is linked on a system
 * that has these. They differ from the older ones in errno and in exceptions, neither of which the runtime uses. With the
 * older ones the wheel also serves glibc 2.34 and GCC 11, as of Red Hat Enterprise Linux 9.
 * Linked with --wrap=NAME for each. */
#ifdef __aarch64__
#define FIRST_GLIBC "GLIBC_2.17"
#else
#define FIRST_GLIBC "GLIBC_2.2.5"
#endif
#define OLDER(name, version) __asm__(".symver older_" #name ", " #name "@" version)

double older_hypot(double, double);
float older_hypotf(float, float);
void older__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(void *, void *);
OLDER(hypot, FIRST_GLIBC);
OLDER(hypotf, FIRST_GLIBC);
OLDER(_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE, "GLIBCXX_3.4.11");

double __wrap_hypot(double x, double y) { return older_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return older_hypotf(x, y); }
void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(void *condition, void *lock) {
    older__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(condition, lock);
}
