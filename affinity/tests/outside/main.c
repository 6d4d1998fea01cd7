/* Prints the default plan of a small machine; compiles as C and as C++. */
#include <corewise/affinity.h>
#include <stdio.h>

int main(void) {
  cw_thread_plan_options_t options;
  cw_thread_plan_options_init(&options);
  options.synthetic = "pack:1 [numa] l3:1 core:4 pu:1";
  cw_thread_plan_t* plan = NULL;
  if (cw_thread_plan_create(&options, &plan) != CW_OK) return 1;
  char text[2000];
  const cw_status_t status = cw_thread_plan_print(plan, CW_FORMAT_TEXT, text, sizeof text, NULL);
  cw_thread_plan_destroy(plan);
  if (status != CW_OK) return 1;
  fputs(text, stdout);
  return 0;
}
