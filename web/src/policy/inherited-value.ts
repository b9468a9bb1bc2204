import { toLabel } from '../ui/format/text.ts';
import { DEFAULT_DRAIN, DEFAULT_POLICY } from './policy-fields.ts';
import type { PartialPolicy, PolicyFormField } from './policy-form-values.ts';
import { toFormValues } from './policy-form-values.ts';
import { formatPolicyDefault, formatPolicyField, isPolicyField } from './policy-summary.ts';

const DEFAULT_FORM_VALUES = toFormValues({ ...DEFAULT_POLICY, drain: DEFAULT_DRAIN });

/**
 * The value that applies while a field of the form is empty, and its source: `3 hosts (cluster policy)` or
 * `1 host (default)`.
 */
export function inheritedValue(field: PolicyFormField, clusterPolicy: PartialPolicy): string {
  const name = field.replace(/_mode$/, '');
  // Fields for seconds take a number.
  if (isPolicyField(name) && !name.endsWith('_s')) {
    const text = formatPolicyField(name, clusterPolicy);
    return text === '' ? formatPolicyDefault(name) : `${text} (cluster policy)`;
  }
  const value = toFormValues(clusterPolicy)[field];
  return value === '' ? `${toLabel(DEFAULT_FORM_VALUES[field])} (default)` : `${toLabel(value)} (cluster policy)`;
}
