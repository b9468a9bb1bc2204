import type { DraftField } from './policy-draft.ts';
import { EMPTY_DRAFT } from './policy-draft.ts';

const isField = (name: string): name is DraftField => Object.hasOwn(EMPTY_DRAFT, name);

/** Where in the form it stands what the service says of a field of a policy, or of a part of one; `undefined`: nowhere. */
export const draftFieldAt = (name: string, part = ''): DraftField | undefined =>
  [`${name}_${part}`, name, `${name}_rule`].find(isField);
