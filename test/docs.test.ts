// The documents keep to the truth: their tables are made from the code, their links lead somewhere, and what they name exists.
// To rewrite the tables: UPDATE_DOCS=1 npx vitest run test/docs.test.ts

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { constants } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Deprecation } from '../src/contract/deprecation.ts';
import { deprecatedThing, deprecationSentence, pathDeprecation } from '../src/contract/deprecation.ts';
import { routes } from '../src/contract/index.ts';
import { Policy } from '../src/contract/policy.ts';
import type { Route } from '../src/contract/route.ts';
import type { HostCause } from '../src/domain/hosts/host-status.ts';
import { HOST_CAUSES, HOST_MOVES, statusAfter } from '../src/domain/hosts/host-status.ts';
import { recordNameOf } from '../src/domain/record-name.ts';
import { partOf } from '../src/domain/rolling/host-phase.ts';
import { FAILURE_KINDS } from '../src/domain/transport-failure.ts';
import type { HostStatus } from '../src/domain/vocabulary.ts';
import {
  EVENT_TYPES,
  HOST_PHASES,
  HOST_STATUSES,
  OPERATION_KINDS,
  OPERATION_VERBS,
  ROLES,
} from '../src/domain/vocabulary.ts';
import { hostSourceDrivers } from '../src/drivers/host-source/index.ts';
import { LEFT_OUT_NETWORK } from '../src/http/compat.ts';
import { PROBLEMS } from '../src/http/problems/problem-kinds.ts';
import { viewPolicy } from '../src/http/views/policy.ts';
import { EXIT } from '../src/program/exit-codes.ts';
import { environmentName, flagName, settingKeys, settings } from '../src/server/configuration/settings.ts';
import { CATALOGUE } from '../src/server/metrics/catalogue.ts';
import type { Metric } from '../src/server/metrics/metric.ts';
import { requestSections } from './harness/documents/api-document.ts';
import {
  clientCommands,
  clientVariables,
  commonOptions,
  serverCommands,
} from './harness/documents/cli-document.ts';
import { dependencyTables } from './harness/documents/dependency-document.ts';
import { LAYERS, WEB_ROOMS } from './harness/documents/layers.ts';
import { code, table } from './harness/documents/markdown-table.ts';
import {
  defaultPolicy,
  hostArrows,
  leavingRows,
  operationArrows,
  verbRows,
} from './harness/documents/operation-tables.ts';

const root = path.resolve(import.meta.dirname, '..');
const HOW_TO_UPDATE = 'update it by: UPDATE_DOCS=1 npx vitest run test/docs.test.ts';
const NOT_OURS = new Set(['node_modules', '.git', '.cache', 'data', 'dist']);

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

function markdownFiles(folder = ''): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : markdownFiles(name);
    return entry.name.endsWith('.md') ? [name] : [];
  });
}

const documents = markdownFiles();

// The tables.

const settingsTable = () =>
  table(
    ['key', 'environment variable', 'flag', 'default', 'meaning'],
    settingKeys.map(key => {
      const { help, default: standard, isSecret } = settings[key];
      return [
        code(key),
        code(environmentName(key)),
        isSecret ? 'none: it is a secret' : code(flagName(key)),
        standard === undefined ? 'none' : code(standard),
        `${help}.`,
      ];
    }),
  );

/** A heading for each, so that each can be linked to. */
const errorsSections = () => {
  const statuses = [...new Set(Object.values(PROBLEMS).map(({ status }) => status))].sort((a, b) => a - b);
  const codesOf = (wanted: number) =>
    Object.entries(PROBLEMS)
      .filter(([, { status }]) => status === wanted)
      .map(([name]) => `[${code(name)}](#${name})`);
  const index = statuses.map(status => [`${status} ${STATUS_CODES[status]}`, codesOf(status).join(', ')]);
  const sections = Object.entries(PROBLEMS).map(
    ([name, { status, meaning, cause, remedy }]) =>
      `### ${code(name)}\n\n${status} ${STATUS_CODES[status]}: ${meaning} ${cause}\n\n**What to do:** ${remedy}`,
  );
  return [table(['status', 'codes'], index), ...sections].join('\n\n');
};

function whoMay({ roles, alsoSelf }: Route): string {
  if (roles === 'anyone') return 'anyone, without credentials';
  return roles.map(code).join(', ') + (alsoSelf ? ', and every account for itself' : '');
}

function pathCell(route: Route): string {
  const deprecation = pathDeprecation(route, route.path);
  return code(route.path) + (deprecation ? ` ${deprecationSentence(deprecation)}` : '');
}

const routesTable = () =>
  table(
    ['method', 'path', 'who may call it'],
    Object.values<Route>(routes).map(route => [route.method, pathCell(route), whoMay(route)]),
  );

/** With what a mode for old clients adds. */
const deprecations = (): readonly [Route, Deprecation][] => [
  ...Object.values<Route>(routes).flatMap(route =>
    (route.deprecations ?? []).map((each): [Route, Deprecation] => [route, each]),
  ),
  [routes.putCluster, LEFT_OUT_NETWORK],
];

const deprecatedTable = () =>
  table(
    ['what', 'since', 'gone from', 'instead'],
    deprecations().map(([route, each]) => [
      deprecatedThing(route, each) +
        (each === LEFT_OUT_NETWORK ? ', which only the mode for clients of Commissaire allows' : ''),
      each.since,
      each.sunset ?? 'no day yet',
      each.instead,
    ]),
  );

// The life of a host.

const causes = Object.keys(HOST_CAUSES) as HostCause[];
const NOT_A_MEMBER = { cluster: null, containerManager: null, registeredWith: null };
const A_MEMBER = { ...NOT_A_MEMBER, cluster: recordNameOf('web') };

/** Where a cause leads to, whether the host is settled or not. */
const nextOf = (status: HostStatus, cause: HostCause): readonly HostStatus[] => [
  ...new Set([A_MEMBER, NOT_A_MEMBER].map(settlement => statusAfter(status, cause, settlement))),
];

const causesTable = () =>
  table(
    ['cause', 'what happened'],
    causes.map(cause => [code(cause), HOST_CAUSES[cause]]),
  );

function nextCell(status: HostStatus, cause: HostCause): string {
  const next = nextOf(status, cause);
  return next.length === 1 && next[0] === status ? '–' : next.map(code).join(' or ');
}

const movesTable = () =>
  table(
    ['cause', ...HOST_STATUSES.map(code)],
    causes.map(cause => [code(cause), ...HOST_STATUSES.map(status => nextCell(status, cause))]),
  );

/** Leads from any status to the same one; as arrows these would hide the others. */
const isFromAny = (cause: HostCause) =>
  new Set(HOST_STATUSES.map(status => HOST_MOVES[status][cause])).size === 1;

const statesDrawing = () => {
  const arrows = HOST_STATUSES.flatMap(from =>
    HOST_STATUSES.flatMap(to => {
      const why = causes.filter(cause => !isFromAny(cause) && nextOf(from, cause).includes(to));
      return from === to || why.length === 0 ? [] : [`  ${from} --> ${to}: ${why.join(', ')}`];
    }),
  );
  const notDrawn = causes
    .filter(isFromAny)
    .map(cause => `${code(cause)} leads from any status to ${code(HOST_MOVES.active[cause])}`);
  const drawing = ['```mermaid', 'stateDiagram-v2', '  [*] --> investigating: enrolled', ...arrows, '```'];
  return [...drawing, '', `Not drawn: ${notDrawn.join('; ')}.`].join('\n');
};

// Operations.

const drawing = (arrows: readonly string[]) =>
  ['```mermaid', 'stateDiagram-v2', ...arrows.map(arrow => `  ${arrow}`), '```'].join('\n');

const operationDrawing = () =>
  drawing([
    '[*] --> planned: PUT',
    ...operationArrows().map(
      ({ from, to, why }) => `${from} --> ${to}${why.length > 0 ? `: ${why.join(', ')}` : ''}`,
    ),
  ]);

const hostDrawing = () => drawing(hostArrows());

const verbsTable = () =>
  table(
    ['state', ...OPERATION_VERBS.map(code)],
    verbRows().map(([state, ...cells]) => [
      state
        .split(', ')
        .map(word => code(word))
        .join(' by '),
      ...cells,
    ]),
  );

const leavingTable = () =>
  table(
    ['step', 'phase', 'cancel', 'skip', 'it fails', 'a failure keeps its slot'],
    leavingRows().map(([step = '', phase = '', ...cells]) => [code(step), code(phase), ...cells]),
  );

/** What differs between the kinds, or by whether there is a container manager, is told in the meaning. */
function defaultCell(field: keyof ReturnType<typeof viewPolicy>): string {
  const found = OPERATION_KINDS.flatMap(kind =>
    [true, false].map(hasManager => JSON.stringify(viewPolicy(defaultPolicy(kind, hasManager))[field])),
  );
  return [...new Set(found)].map(code).join(' or ');
}

/** The column before has the default. */
const meaningOf = (shape: object) =>
  ('description' in shape ? String(shape.description) : '')
    .replace(/\.? Default:? [^.]*\.$/, '')
    .replace(/\.$/, '');

const policyTable = () =>
  table(
    ['field', 'default', 'meaning'],
    Object.entries(Policy.properties).map(([field, shape]) => [
      code(field),
      defaultCell(field as keyof ReturnType<typeof viewPolicy>),
      meaningOf(shape),
    ]),
  );

const layersTable = () =>
  table(
    ['layer', 'may import', 'only types of'],
    Object.entries(LAYERS).map(([layer, { values, types = [], but }]) => [
      code(layer),
      [values.map(code).join(', ') || 'nothing of ours', ...(but ? [but] : [])].join('; '),
      types.map(code).join(', '),
    ]),
  );

const roomsTable = () =>
  table(
    ['room', 'may import'],
    Object.entries(WEB_ROOMS).map(([room, { values, but }]) => [
      code(room),
      [values.map(code).join(', ') || 'no other', ...(but ? [but] : [])].join('; '),
    ]),
  );

// Host sources.

interface Option {
  readonly description?: string;
  readonly items?: Option;
}

const sourcesTable = () =>
  table(
    ['type', 'option', 'needed', 'meaning'],
    hostSourceDrivers.flatMap(({ type, options }) =>
      Object.entries<Option>(options.properties).map(([option, { description, items }]) => [
        code(type),
        code(option),
        options.required?.includes(option) ? 'yes' : '',
        description ?? items?.description ?? '',
      ]),
    ),
  );

// Metrics.

function labelsCell({ labels }: Metric): string {
  const told = Object.entries(labels).map(([label, values]) => {
    const meant = 'bound' in values ? values.bound : values.map(code).join(', ');
    return `${code(label)}: ${meant}`;
  });
  return told.join('; ');
}

const metricsTables = () =>
  Object.entries(CATALOGUE)
    .map(([about, metrics]) => {
      const rows = metrics.map(metric => [
        code(metric.name),
        metric.kind,
        metric.of,
        metric.help,
        labelsCell(metric),
      ]);
      return `### ${about}\n\n${table(['metric', 'kind', 'of the', 'meaning', 'labels'], rows)}`;
    })
    .join('\n\n');

describe('the tables are as the code has them', () => {
  test.each<[string, string, (text: string) => string]>([
    ['settings', 'docs/reference/configuration.md', settingsTable],
    ['errors', 'docs/reference/errors.md', errorsSections],
    ['routes', 'docs/reference/api.md', routesTable],
    ['requests', 'docs/reference/requests.md', requestSections],
    ['deprecated', 'docs/reference/versioning.md', deprecatedTable],
    ['layers', 'docs/architecture.md', layersTable],
    ['rooms', 'docs/architecture.md', roomsTable],
    ['states', 'docs/reference/states.md', statesDrawing],
    ['causes', 'docs/reference/states.md', causesTable],
    ['moves', 'docs/reference/states.md', movesTable],
    ['operation', 'docs/guides/operations.md', operationDrawing],
    ['host', 'docs/guides/operations.md', hostDrawing],
    ['verbs', 'docs/guides/operations.md', verbsTable],
    ['leaving', 'docs/guides/operations.md', leavingTable],
    ['policy', 'docs/guides/operations.md', policyTable],
    ['metrics', 'docs/reference/metrics.md', metricsTables],
    ['sources', 'docs/guides/host-sources.md', sourcesTable],
    ['common options', 'docs/reference/cli.md', commonOptions],
    ['client commands', 'docs/reference/cli.md', clientCommands],
    ['server commands', 'docs/reference/cli.md', serverCommands],
    ...dependencyTables,
  ])('%s in %s', (name, file, makeTable) => {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const text = read(file);
    const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
    expect(start !== -1 && start < stop, `${file} needs the lines ${begin} and ${end}`).toBe(true);
    const updated = `${text.slice(0, start) + begin}\n\n${makeTable(text)}\n\n${text.slice(stop)}`;
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path.join(root, file), updated);
    else
      expect(text, `the table of ${name} in ${file} is not what the code says; ${HOW_TO_UPDATE}`).toBe(
        updated,
      );
  });
});

// Links.

const withoutFences = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '');
const withoutCode = (text: string) => withoutFences(text).replace(/`[^`\n]*`/g, '');

/** What links point to, both as `[text](target)` and as `[label]: target`. */
const linksIn = (text: string) =>
  [...withoutCode(text).matchAll(/\]\(\s*<?([^)>\s]+)[^)]*\)|^\[[^\]]+\]:\s+(\S+)/gm)]
    .map(([, inline, reference]) => inline ?? reference ?? '')
    .filter(target => !/^[a-z][a-z0-9+.-]*:/i.test(target));

/** The anchors that a page's headings get. */
const anchorsIn = (text: string) =>
  [...withoutFences(text).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

function linkProblem(from: string, link: string): string | undefined {
  const [target = '', anchor] = link.split('#');
  const file = target === '' ? from : path.posix.join(path.posix.dirname(from), decodeURIComponent(target));
  if (!existsSync(path.join(root, file))) return `${from} links to ${link}, which does not exist`;
  if (anchor && file.endsWith('.md') && !anchorsIn(read(file)).includes(anchor))
    return `${from} links to ${link}, but ${file} has no such heading`;
  return undefined;
}

// What is named.

const scripts = Object.keys(JSON.parse(read('package.json')).scripts);

/** `npm run X`, `npm start` and `npm test`. */
const scriptsNamedIn = (text: string) =>
  [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short ?? '');

/** Paths of this repository; a placeholder such as `<noun>` ends them. */
const pathsNamedIn = (text: string) =>
  [...text.matchAll(/(?<![\w./$-])(?:src|bin|contrib|test|tools|docs|\.ci)\/[\w./-]*/g)].map(([found]) =>
    found.replace(/[./-]+$/, ''),
  );

describe.each(documents)('%s', file => {
  const text = read(file);

  test('its links lead somewhere', () => {
    expect(linksIn(text).flatMap(link => linkProblem(file, link) ?? [])).toEqual([]);
  });

  test('every npm script it names exists', () => {
    expect(scriptsNamedIn(text).filter(name => !scripts.includes(name))).toEqual([]);
  });

  test('every path it names exists', () => {
    expect(pathsNamedIn(text).filter(name => !existsSync(path.join(root, name)))).toEqual([]);
  });
});

describe('what these checks look for is found', () => {
  test('links in each of their forms, but not in code, and not those to other sites', () => {
    const text = [
      '[a](one.md) and [b](two.md#part "title") and [c](https://example.com/)',
      '`[d](not-a-link.md)`',
      '```sh',
      '[e](neither.md)',
      '```',
      '[f]: three.md',
    ].join('\n');
    expect(linksIn(text)).toEqual(['one.md', 'two.md#part', 'three.md']);
  });

  test('a link to a missing file or heading', () => {
    expect(linkProblem('docs/reference/api.md', 'no-such-file.md')).toMatch(/does not exist/);
    expect(linkProblem('docs/reference/api.md', 'errors.md#no-such-heading')).toMatch(/no such heading/);
  });

  test('scripts and paths', () => {
    expect(scriptsNamedIn('npm run nonsense, npm start -- --help, npm test')).toEqual([
      'nonsense',
      'start',
      'test',
    ]);
    expect(pathsNamedIn('see `src/no-such/`, test/x.ts. Not $URL/docs/x, src/app/<noun>/y.ts')).toEqual([
      'src/no-such',
      'test/x.ts',
      'src/app',
    ]);
  });

  test('every reason why a host failed is explained', () => {
    const files = ['operations', 'engine'].flatMap(room =>
      readdirSync(path.join(root, 'src', room), { recursive: true, encoding: 'utf8' })
        .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map(file => path.posix.join('src', room, file)),
    );
    const given = files.flatMap(file =>
      [...read(file).matchAll(/\b(?:again|againAnew|failed)\(\s*['`](\w+): /g)].map(
        ([, reason = '']) => reason,
      ),
    );
    expect(given).toContain('no_root');
    const states = read('docs/reference/states.md');
    const explained = (reason: string) => states.includes(`| ${code(reason)} |`);
    expect([...FAILURE_KINDS, ...given].filter(reason => !explained(reason))).toEqual([]);
  });

  test('every phase of a host in an operation is explained, with the part that it belongs to', () => {
    const operations = read('docs/guides/operations.md');
    const missing = HOST_PHASES.filter(
      phase => !operations.includes(`\n| ${code(phase)} | ${partOf(phase)} |`),
    );
    expect(missing).toEqual([]);
  });

  test('every type of event is explained', () => {
    const events = read('docs/reference/events.md');
    expect(EVENT_TYPES.filter(type => !events.includes(`\n| ${code(type)} |`))).toEqual([]);
  });

  test('every exit code is explained, and no other', () => {
    const [, section = ''] = read('docs/reference/cli.md').split('\n## Exit codes\n');
    const explained = [...section.slice(0, section.indexOf('\n## ')).matchAll(/^\| (\d+) \|/gm)];
    const INTERRUPTED = 128 + constants.signals.SIGINT;
    expect(explained.map(([, exitCode]) => Number(exitCode))).toEqual([...Object.values(EXIT), INTERRUPTED]);
  });

  test('every variable that the client reads is explained', () => {
    const page = read('docs/reference/cli.md');
    expect(clientVariables().filter(name => !page.includes(`\n| ${code(name)} |`))).toEqual([]);
  });

  test('every role is explained', () => {
    const page = read('docs/reference/api.md');
    expect(ROLES.filter(role => !page.includes(`\n| ${code(role)} |`))).toEqual([]);
  });

  test('every document is in the index, or below a page that is', () => {
    const index = read('docs/README.md');
    const missing = documents
      .filter(file => /^docs\/(guides|reference)\//.test(file))
      .filter(file => !index.includes(`](${path.posix.relative('docs', file)})`));
    expect(missing).toEqual([]);
  });

  test('every room under src/ is in the plan of the house', () => {
    const rooms = readdirSync(path.join(root, 'src'), { withFileTypes: true }).filter(entry =>
      entry.isDirectory(),
    );
    const plan = read('docs/architecture.md');
    expect(rooms.map(room => room.name).filter(name => !plan.includes(`${name}/`))).toEqual([]);
  });
});
