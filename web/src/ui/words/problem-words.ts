import { RequestRefused, ServiceUnreachable } from '#client/client.ts';
import { conflictingFields, conflictText, isCredentialConflict } from '#client/host-conflict.ts';
import { fieldLabel, fieldTerm } from './field-label.ts';
import { begun, sentence } from './sentence.ts';

export interface ProblemWords {
  /** What is wrong, and what to do. */
  readonly text: string;
  /** Errors of fields, one sentence each. */
  readonly fields: readonly string[];
  /** For the people who run the service. */
  readonly requestId: string;
}

const fieldWords = ({ path, message }: { readonly path: string; readonly message: string }) =>
  sentence(path === '' ? begun(message) : `${fieldLabel(path)} ${message}`);

/** The dashboard asks for the password itself and repeats the request. */
const UNCONFIRMED =
  'Nothing was changed because you did not confirm your password. Try again and confirm it.';

/** The address of the host is shown next to it. */
function conflictWords(fields: readonly string[]): string {
  const replace = isCredentialConflict(fields)
    ? ' To change the credentials, use “Replace credentials” on the page of the host.'
    : '';
  const names = fields.map(field => fieldTerm(`/${field}`));
  return `${sentence(conflictText(names))}${replace} To enrol the host again, remove it first (“Remove host”).`;
}

/** An error as people read it. */
export function problemWords(error: unknown): ProblemWords {
  if (error instanceof RequestRefused) {
    const { code, detail, errors = [], request_id, status, title } = error.problem;
    if (code === 'not_hostler')
      return {
        text: `Unexpected response from a proxy or another server: ${status} ${title}. Check the address and the proxy.`,
        fields: [],
        requestId: '',
      };
    if (code === 'confirmation_needed') return { text: UNCONFIRMED, fields: [], requestId: request_id };
    const conflict = conflictingFields(error.problem);
    if (conflict.length > 0) return { text: conflictWords(conflict), fields: [], requestId: request_id };
    // Of a value that fits none of several shapes the same may be said for each.
    const fields = [...new Set(errors.map(fieldWords))];
    // The server joins all errors, with the places in the body in front of them.
    const isOnlyFields = errors.length > 0 && errors.every(({ message }) => detail.includes(message));
    if (!isOnlyFields) return { text: sentence(detail), fields, requestId: request_id };
    const [first = '', ...others] = fields;
    return others.length === 0
      ? { text: first, fields: [], requestId: request_id }
      : { text: 'Some values are not valid. Fix them and try again.', fields, requestId: request_id };
  }
  const nobody = error instanceof ServiceUnreachable;
  const text = nobody
    ? 'Cannot reach the server. Check that it is running and that this machine can connect to it.'
    : sentence(error instanceof Error ? error.message : String(error));
  return { text, fields: [], requestId: '' };
}
