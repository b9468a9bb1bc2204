import type { DraftErrors, DraftField } from './policy-draft.ts';
import { EMPTY_DRAFT } from './policy-draft.ts';

const isField = (name: string): name is DraftField => Object.hasOwn(EMPTY_DRAFT, name);

/** What the service says of fields of a policy, by the field of the form where it belongs. */
export function errorsOf(
  said: readonly { readonly path: string; readonly message: string }[],
  prefix: string,
): DraftErrors {
  const errors: DraftErrors = {};
  for (const { path, message } of said) {
    if (!path.startsWith(`${prefix}/`)) continue;
    const [name = '', part = ''] = path.slice(prefix.length + 1).split('/');
    const field = [`${name}_${part}`, name, `${name}_rule`].find(isField);
    if (field) errors[field] = message;
  }
  return errors;
}
