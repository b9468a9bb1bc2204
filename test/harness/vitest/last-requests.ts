// The last requests and commands of the running test, for the message of its failure.

const MAX_REQUESTS = 8;
/** Requests other than GET, which are kept although a test polls after them. */
const MAX_CHANGES = 4;

const MAX_STRING_CHARACTERS = 200;
const MAX_BODY_CHARACTERS = 2000;
/** Enough characters to shorten the strings of a large body. The rest is not recorded. */
const MAX_RECORDED_CHARACTERS = 100_000;

/** In JSON, which can be incomplete. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)/g;
/** An empty string is no secret. */
const SECRET_STRING = /("\w*(?:priv_key|password|token|secret)"\s*:\s*")(?:[^"\\]|\\.)+/gi;
/** In forms and command lines. */
const SECRET_ASSIGNMENT = /(\b\w*(?:priv_key|password|token|secret)=)[^\s&"]+/gi;

/** Replaces secrets, shortens long strings and writes the text on one line. */
const shorten = (text: string): string =>
  text
    .replaceAll(SECRET_STRING, '$1…')
    .replaceAll(SECRET_ASSIGNMENT, '$1…')
    .replaceAll(STRING, string =>
      string.length > MAX_STRING_CHARACTERS ? `${string.slice(0, MAX_STRING_CHARACTERS)}…"` : string,
    )
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_BODY_CHARACTERS);

export class RecordedBody {
  #received = '';
  #shortened: string | undefined;

  append(chunk: string | Uint8Array): void {
    if (this.#received.length >= MAX_RECORDED_CHARACTERS) return;
    this.#received = (this.#received + Buffer.from(chunk).toString()).slice(0, MAX_RECORDED_CHARACTERS);
    this.#shortened = undefined;
  }

  get text(): string {
    this.#shortened ??= shorten(this.#received);
    return this.#shortened;
  }
}

interface RequestFields {
  /** Or the name of a program. */
  readonly method: string;
  /** URL, user and headers, or the arguments of the program. */
  readonly target: string;
  /** Default: empty. */
  readonly body?: RecordedBody;
}

export class SentRequest {
  readonly method: string;
  readonly target: string;
  readonly body: RecordedBody;
  /** The request has a body that must not be shown. */
  hasHiddenBody = false;
  /** Status, exit code or error. */
  result = '';
  readonly responseBody = new RecordedBody();
  isBeforeTest = false;
  count = 1;

  constructor({ method, target, body = new RecordedBody() }: RequestFields) {
    this.method = method;
    this.target = target;
    this.body = body;
  }

  get text(): string {
    const sent = [this.method, this.target, this.body.text].filter(Boolean).join(' ');
    return this.result === '' ? sent : `${sent} -> ${[this.result, this.responseBody.text].filter(Boolean).join(' ')}`;
  }

  canMerge(other: SentRequest): boolean {
    if (this.result === '' || this.hasHiddenBody || other.hasHiddenBody) return false;
    return this.text === other.text && this.isBeforeTest === other.isBeforeTest;
  }
}

/** The newest request is at the end. */
let requests: SentRequest[] = [];

const isChange = ({ method }: SentRequest): boolean => method !== 'GET';

/** Consecutive requests with the same text and result become one. */
function mergeEqual(): void {
  const merged: SentRequest[] = [];
  for (const request of requests) {
    const previous = merged.at(-1);
    if (previous?.canMerge(request)) previous.count += request.count;
    else merged.push(request);
  }
  requests = merged;
}

/** Returns the entry, to which the caller adds the result. */
export function recordRequest(fields: RequestFields): SentRequest {
  mergeEqual();
  const added = new SentRequest(fields);
  requests.push(added);
  const lastRequests = new Set([...requests.slice(-MAX_REQUESTS), ...requests.filter(isChange).slice(-MAX_CHANGES)]);
  requests = requests.filter(request => lastRequests.has(request));
  return added;
}

/** Later requests are those of the test, and earlier ones those of `beforeAll`. */
export function markTestStart(): void {
  for (const request of requests) request.isBeforeTest = true;
}

export function clearRequests(): void {
  requests = [];
}

/** Records a command. The caller sets the exit code as its result. */
export const recordCommand = (program: string, line: string): SentRequest =>
  recordRequest({ method: program, target: shorten(line) });

/** Returns an empty text if there were no requests. */
export function formatLastRequests(subject: 'test' | 'suite'): string {
  mergeEqual();
  const format = (title: string, selected: readonly SentRequest[]) => {
    const lines = selected.map(({ text, count }) => `  ${text}${count > 1 ? ` (${count} times)` : ''}\n`);
    return lines.length === 0 ? '' : `\n\n${title}:\n${lines.join('')}`;
  };
  return [
    format(
      `Last requests before this ${subject}`,
      requests.filter(request => request.isBeforeTest),
    ),
    format(
      `Last requests of this ${subject}`,
      requests.filter(request => !request.isBeforeTest),
    ),
  ].join('');
}
