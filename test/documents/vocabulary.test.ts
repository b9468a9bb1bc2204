import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CLIENT_VARIABLES, EXIT_CODES } from '../../src/cli/program.ts';
import { OPERATION_HOST_REASONS } from '../../src/domain/hosts/reason-text.ts';
import { phaseGroupOf } from '../../src/domain/rollout/operation-host.ts';
import { EVENT_TYPES, HOST_PHASES, HOST_REASONS, ROLES } from '../../src/domain/vocabulary.ts';
import { clientVariables } from '../harness/documents/cli-tables.ts';
import { code } from '../harness/documents/markdown.ts';
import { readDocument } from '../harness/documents/run-document.ts';
import { PROJECT } from '../harness/programs/process.ts';

test('host-reasons.md explains exactly the reasons of a host', () => {
  const page = readDocument('docs/reference/host-reasons.md');
  const explainedIn = (heading: string): readonly string[] => {
    const [, section = ''] = page.split(`\n${heading}\n`);
    const rows = section.slice(0, section.search(/^#/m)).matchAll(/^\| `(\w+)` \|/gm);
    return [...rows].map(([, reason = '']) => reason);
  };
  // The text before the table explains `rebooting`, which is not an error.
  expect([...explainedIn('## Why a host failed'), 'rebooting']).toEqual([...HOST_REASONS]);
  expect(explainedIn('### Why a host failed in an operation')).toEqual([...OPERATION_HOST_REASONS]);
});

test('operations.md explains every phase of a host, with its group', () => {
  const operations = readDocument('docs/concepts/operations.md');
  const missing = HOST_PHASES.filter(
    phase => !operations.includes(`\n| ${code(phase)} | ${phaseGroupOf(phase).replace('_', ' ')} |`),
  );
  expect(missing).toEqual([]);
});

test('events.md explains every event type', () => {
  const events = readDocument('docs/reference/events.md');
  const firstCells = [...events.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell = '']) => cell.split(', '));
  const explained = new Set(firstCells.flat());
  expect(EVENT_TYPES.filter(type => !explained.has(code(type)))).toEqual([]);
});

test('cli.md explains exactly the exit codes', () => {
  const [, section = ''] = readDocument('docs/reference/cli.md').split('\n## Exit codes\n');
  const explained = [...section.slice(0, section.indexOf('\n## ')).matchAll(/^\| (\d+) \|/gm)];
  const INTERRUPTED = 128 + constants.signals.SIGINT;
  expect(explained.map(([, exitCode]) => Number(exitCode))).toEqual([...Object.values(EXIT_CODES), INTERRUPTED]);
});

test('cli.md explains every variable that the client reads', () => {
  const files = readdirSync(path.join(PROJECT, 'src/cli'), { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => readFileSync(path.join(PROJECT, 'src/cli', file), 'utf8'));
  const named = new Set(sources.flatMap(source => source.match(/\bHOSTLER_[A-Z_]+/g) ?? []));
  expect([...named].sort()).toEqual([...CLIENT_VARIABLES].sort());
  expect([...clientVariables()].sort()).toEqual([...CLIENT_VARIABLES].sort());
  const page = readDocument('docs/reference/cli.md');
  expect(CLIENT_VARIABLES.filter(name => !page.includes(`\n| ${code(name)} |`))).toEqual([]);
});

test('store.md quotes code as it is in the source file', () => {
  const shown = /\bas in\s`(src\/[^`]+)`:\n\n```ts\n([\s\S]*?)```/g;
  const quotes = [...readDocument('docs/contributing/store.md').matchAll(shown)];
  const unknownLines = quotes.flatMap(([, file = '', block = '']) => {
    const source = readDocument(file);
    return block.split('\n').filter(line => line !== '…' && !source.includes(line));
  });
  expect(unknownLines).toEqual([]);
  expect(quotes).toHaveLength(1);
});

test('api.md explains every role', () => {
  const page = readDocument('docs/reference/api.md');
  expect(ROLES.filter(role => !page.includes(`\n| ${code(role)} |`))).toEqual([]);
});
