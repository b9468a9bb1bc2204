import { RequestRefused, ServiceUnreachable } from '#client/client.ts';
import { sentence } from './sentence.ts';

export interface ProblemWords {
  /** What is wrong, and what to do. */
  readonly text: string;
  /** Each field that is wrong. */
  readonly fields: readonly { readonly path: string; readonly message: string }[];
  /** For whoever asks the people who run the service. */
  readonly requestId: string;
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
    // Of a value that fits none of several shapes the same may be said for each.
    const fields = [...new Map(errors.map(each => [each.path + each.message, each])).values()];
    // What the sentence has said already is not said again.
    const others = fields.filter(({ message }) => fields.length > 1 || !detail.includes(message));
    return { text: sentence(detail), fields: others, requestId: request_id };
  }
  const nobody = error instanceof ServiceUnreachable;
  const text = nobody
    ? 'Cannot reach the server. Check that it is running and that this machine can connect to it.'
    : sentence(error instanceof Error ? error.message : String(error));
  return { text, fields: [], requestId: '' };
}
