import { ApiError } from '#sdk/errors.ts';
import { capitalize } from '../format/text.ts';

interface FieldErrors {
  readonly byField: Readonly<Record<string, string>>;
  /** Shown above the fields. Undefined if no field has an error. */
  readonly summary: unknown;
  /** Error of the whole form. Undefined if a field has an error. */
  readonly formError: unknown;
}

const FIX_FIELDS = 'Fix the errors below.';

/** Errors by field name that an action found before it changed anything. */
export class InvalidFieldsError extends Error {
  readonly byField: Readonly<Record<string, string>>;

  constructor(byField: Readonly<Record<string, string>>) {
    super(FIX_FIELDS);
    this.byField = byField;
  }
}

/** Summary for errors that the form found before sending. */
export const invalidForm = (errors: object = {}): Error | undefined =>
  Object.keys(errors).length === 0 ? undefined : new Error(FIX_FIELDS);

/** The message of the server refers to the URL path, which the user does not see. */
const NAME_ERROR = 'Use 1 to 128 letters, digits, _ or -. Spaces are not allowed.';

/** A message such as `is not a private key` needs a subject. Other messages start with a verb such as `must`. */
const errorText = (message: string): string => (message.startsWith('is ') ? `This ${message}` : capitalize(message));

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** `entry`: the part of the field that is wrong. Empty for the whole field. */
interface FieldTarget {
  readonly name: string;
  readonly entry: string;
}

/** Maps the first two segments of a JSON pointer to a form field. Undefined if no field matches. */
export type FieldResolver = (name: string, subfield: string | undefined) => FieldTarget | string | undefined;

function resolveTarget(path: string, resolveField: FieldResolver, pathPrefix: string): FieldTarget | undefined {
  const hasPrefix = path.startsWith(`${pathPrefix}/`);
  const [first = '', second] = path
    .slice(hasPrefix ? pathPrefix.length + 1 : 1)
    .split('/')
    .map(unescapePointer);
  const resolved = resolveField(first, second);
  if (typeof resolved !== 'string') return resolved;
  const isListItem = second !== undefined && /^\d+$/.test(second);
  return { name: resolved, entry: isListItem ? `Item ${Number(second) + 1}` : '' };
}

/**
 * Maps the errors of a response to form fields. `names`: the field names, or a resolver if form fields differ from body
 * fields. `pathPrefix`: JSON pointer of fields that are nested in the body, such as `/options`.
 */
export function mapFieldErrors(error: unknown, names: readonly string[] | FieldResolver, pathPrefix = ''): FieldErrors {
  const resolveField: FieldResolver =
    typeof names === 'function' ? names : name => (names.includes(name) ? name : undefined);
  if (error instanceof InvalidFieldsError) return { byField: error.byField, summary: error, formError: undefined };
  if (!(error instanceof ApiError)) return { byField: {}, summary: undefined, formError: error };
  const { errors = [], code } = error.problem;
  if (code === 'invalid_name' && resolveField('name', undefined) === 'name')
    return { byField: { name: NAME_ERROR }, summary: undefined, formError: undefined };
  const byField: Record<string, string> = {};
  const others = errors.filter(({ path, message }) => {
    const target = resolveTarget(path, resolveField, pathPrefix);
    if (target === undefined) return true;
    const text = target.entry === '' ? errorText(message) : `${target.entry} ${message}`;
    const previous = byField[target.name];
    // Several rules can produce the same message.
    if (previous?.includes(text) !== true)
      byField[target.name] = previous === undefined ? text : `${previous}; ${text}`;
    return false;
  });
  if (others.length === errors.length) return { byField, summary: undefined, formError: error };
  return {
    byField,
    summary: new ApiError(error.status, { ...error.problem, detail: FIX_FIELDS, errors: others, request_id: '' }),
    formError: undefined,
  };
}
