/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What this driver needs and rust/bindings/bindings_helper.h leaves out.  bindgen_parameters
 * says which of it is taken.
 */
#include <linux/dmi.h>
#include <linux/platform_profile.h>
#include <linux/power_supply.h>
#include <acpi/cppc_acpi.h>
