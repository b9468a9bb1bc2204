import { conflictingFields, formatConflict, isCredentialConflict } from '#sdk/enrolment.ts';
import { ApiError, ServiceUnreachableError } from '#sdk/errors.ts';
import { capitalize, toSentence } from './text.ts';

const ACRONYMS: ReadonlySet<string> = new Set(['ca', 'id', 'os', 'ssh', 'url']);

/** Fields whose form label differs from their name. */
const FIELD_LABELS: Readonly<Record<string, string>> = {
  cidr: 'allowed source network',
  current_password: 'password',
  expires_in_s: 'valid for',
  remote_user: 'SSH user',
  ssh_port: 'port',
  ssh_priv_key: 'private key',
  uses: 'maximum hosts',
};

function segmentLabels(segment: string): readonly string[] {
  if (/^\d+$/.test(segment)) return [`item ${Number(segment) + 1}`];
  if (Object.hasOwn(FIELD_LABELS, segment)) return [FIELD_LABELS[segment] ?? segment];
  return segment.split('_').map(word => (ACRONYMS.has(word) ? word.toUpperCase() : word));
}

/**
 * Field name for use inside a sentence, from the JSON pointer of an error: `hosts item 1` for `/hosts/0`. Empty for the
 * whole value.
 */
function fieldTerm(path: string): string {
  // The errors of a host are shown next to its address.
  const parts = path
    .replace(/^\/hosts\/\d+(?=\/)/, '')
    .split('/')
    .slice(1);
  return parts.flatMap(segmentLabels).join(' ');
}

interface ErrorMessage {
  readonly text: string;
  readonly fields: readonly string[];
  /** Lets an administrator find the request in the server log. */
  readonly requestId: string;
}

const formatFieldError = ({ path, message }: { readonly path: string; readonly message: string }) =>
  toSentence(path === '' ? capitalize(message) : `${capitalize(fieldTerm(path))} ${message}`);

/** Shown after the user cancels the password dialog. */
const NOT_CONFIRMED = 'Nothing was changed because you did not confirm your password. Try again and confirm it.';

/** The address of the host is shown next to this message. */
function formatHostConflict(fields: readonly string[]): string {
  const replace = isCredentialConflict(fields)
    ? ' To change the credentials, use “Replace credentials” on the page of the host.'
    : '';
  const names = fields.map(field => fieldTerm(`/${field}`));
  return `${toSentence(formatConflict(names))}${replace} To enrol the host again, remove it first (“Remove host”).`;
}

export function errorMessage(error: unknown): ErrorMessage {
  if (error instanceof ApiError) {
    const { code, detail, errors = [], request_id, status, title } = error.problem;
    if (code === 'unexpected_response')
      return {
        text: `Unexpected response from a proxy or another server: ${status} ${title}. Check the address and the proxy.`,
        fields: [],
        requestId: '',
      };
    if (code === 'confirmation_needed') return { text: NOT_CONFIRMED, fields: [], requestId: request_id };
    const conflict = conflictingFields(error.problem);
    if (conflict.length > 0) return { text: formatHostConflict(conflict), fields: [], requestId: request_id };
    // A value that matches none of several schemas can have the same error for each.
    const fields = [...new Set(errors.map(formatFieldError))];
    // The server joins all errors into the detail, prefixed with their JSON path.
    const isOnlyFields = errors.length > 0 && errors.every(({ message }) => detail.includes(message));
    if (!isOnlyFields) return { text: toSentence(detail), fields, requestId: request_id };
    const [first = '', ...others] = fields;
    return others.length === 0
      ? { text: first, fields: [], requestId: request_id }
      : { text: 'Some values are not valid. Fix them and try again.', fields, requestId: request_id };
  }
  const isUnreachable = error instanceof ServiceUnreachableError;
  const text = isUnreachable
    ? 'Cannot reach the server. Check that it is running and that this machine can connect to it.'
    : toSentence(error instanceof Error ? error.message : String(error));
  return { text, fields: [], requestId: '' };
}
