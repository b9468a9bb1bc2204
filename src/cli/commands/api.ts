import type { Command } from 'commander';
import { Argument, InvalidArgumentError } from 'commander';
import { routes } from '../../contract/index.ts';
import { escapeInvisibleJson } from '../../lib/sanitize.ts';
import { tryParseJson } from '../../sdk/errors.ts';
import type { ActionBuilder } from '../actions.ts';
import { addCommand } from '../actions.ts';
import { locateCursor } from '../completion/suggest.ts';
import { usageError } from '../errors.ts';
import { readFileOrStdin } from '../input/files.ts';
import type { Session } from '../session.ts';

const DEFAULT_METHOD = 'GET';
const METHODS: readonly string[] = [DEFAULT_METHOD, 'PUT', 'DELETE'];
const API_ROOT = '/api/v0/';

interface ApiOptions {
  readonly field?: Readonly<Record<string, unknown>>;
  readonly input?: string;
  readonly header?: Readonly<Record<string, string>>;
}

const parseMethod = (text: string): string => {
  const method = METHODS.find(candidate => candidate === text.toUpperCase());
  if (method !== undefined) return method;
  throw new InvalidArgumentError('It must be GET, PUT or DELETE.');
};

/** `api PATH` is `api GET PATH`, as in gh. Commander would take the path for the method. */
export function insertMethod(program: Command, argv: readonly string[]): readonly string[] {
  const { command, args } = locateCursor(program, argv);
  const isPathAlone = args.length === 1 && !METHODS.includes(args[0]?.toUpperCase() ?? '');
  if (command.name() !== 'api' || !isPathAlone) return argv;
  const index = argv.findIndex((_, i) => locateCursor(program, argv.slice(0, i + 1)).command === command);
  return [...argv.slice(0, index + 1), DEFAULT_METHOD, ...argv.slice(index + 1)];
}

/** `name=text`, or `name:=JSON`. */
function collectField(text: string, previous: ApiOptions['field']): ApiOptions['field'] {
  const [, name, separator, value = ''] = /^([^=:]+)(:?=)(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must be name=text or name:=JSON.');
  const parsed = separator === '=' ? value : tryParseJson(value);
  if (parsed === undefined) throw new InvalidArgumentError(`The value of ${name} must be JSON.`);
  return { ...previous, [name]: parsed };
}

function collectHeader(text: string, previous: ApiOptions['header']): ApiOptions['header'] {
  const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must be "Name: value".');
  return { ...previous, [name]: value };
}

async function readBody({ terminal }: Session, { field, input }: ApiOptions): Promise<string | undefined> {
  if (field !== undefined && input !== undefined) throw usageError('--field and --input cannot be combined');
  if (input === undefined) return field && JSON.stringify(field);
  return readFileOrStdin(input, terminal, 'a JSON document');
}

const getFirstSegment = (path: string): string => /^[^/?]*/.exec(path)?.[0] ?? '';
const API_SEGMENTS = new Set(
  Object.values(routes)
    .filter(({ path }) => path.startsWith(API_ROOT))
    .map(({ path }) => getFirstSegment(path.slice(API_ROOT.length))),
);

/** Two slashes or a backslash at the start would name another server. */
function toServerPath(path: string): string {
  if (/^(\\|\/[/\\])/.test(path)) throw usageError(`'${path}' is not a path, such as /healthz or hosts`);
  if (!path.startsWith('/')) return `${API_ROOT}${path}`;
  const relativePath = path.slice(1);
  if (API_SEGMENTS.has(getFirstSegment(relativePath)))
    throw usageError(`${path} is not a path of the API. Did you mean ${relativePath}?`);
  return path;
}

async function callApi(session: Session, options: ApiOptions, method: string, path: string): Promise<void> {
  const { printer, terminal } = session;
  const body = await readBody(session, options);
  if (method === 'GET' && body !== undefined)
    throw usageError('a GET request has no body. With --field or --input, use: hostler api PUT PATH');
  const { text, response } = await session.send({
    method,
    path: toServerPath(path),
    headers: options.header ?? {},
    // The server requires a JSON body of requests that change something.
    body: body ?? (method === 'PUT' ? '{}' : undefined),
  });
  if (response.headers.get('content-type')?.startsWith('text/html'))
    throw usageError(`${path} is a web page, not a path of the API`);
  const value: unknown = tryParseJson(text);
  if (value !== undefined) return printer.printStructured(value, []);
  terminal.writeOut(terminal.isStdoutTty ? escapeInvisibleJson(text) : text);
}

const HELP = `
Without a method, the request is GET. A path without a leading slash starts at
${API_ROOT}. The documentation of the API is at /docs on the server. Pass secrets
with --input, because other users of the machine can see the command line.

Examples:
  hostler api 'hosts?status=failed&extended=true'
  hostler api PUT host/192.0.2.7/maintenance --field on:=true --field reason=disk
  hostler api PUT cluster/web/policy --input policy.json
  hostler api DELETE network/old --header 'If-Match: *'
`;

export function addApiCommand(program: Command, cli: ActionBuilder): void {
  addCommand(program, 'api', 'Send a request to the API and print the response')
    .addArgument(new Argument('[method]', 'GET (default), PUT or DELETE').argParser(parseMethod))
    .argument('<path>', 'Path with an optional query')
    .option('--field <field>', 'Field of the JSON body, name=text or name:=JSON (repeatable)', collectField)
    .option('--input <file>', 'File with the body (`-` for stdin)')
    .option('--header <header>', 'Header of the request, "Name: value" (repeatable)', collectHeader)
    .addHelpText('after', HELP)
    .action(cli.withSession(callApi));
}
