import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../programs/process.ts';
import type { ShellBlock } from './markdown.ts';
import { shellBlocks } from './markdown.ts';
import type { SessionOptions } from './shell-session.ts';
import { ShellSession } from './shell-session.ts';
import { isSkipped } from './skipped-blocks.ts';

/** Values that differ between runs, with their placeholders. */
const VARIABLE_PARTS: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC)?/g, '<time>'],
  [/\b\d+(?:ms|[smhd])(?: \d+[smh])*\b/g, '<duration>'],
  [/"id":"[\w-]{16}"/g, '"id":"<id>"'],
  [/(?<=\/operation\/)[\w-]{16}/g, '<id>'],
  [/"(cpus|memory|space|id)":\d+/g, '"$1":<number>'],
  [/\b[0-9a-f]{64}\b/g, '<hash>'],
  [/SHA256:[\w+/]{43}/g, '<fingerprint>'],
  [/\d+(\.\d+)? [KM]iB/g, '<size>'],
  // Column widths depend on the content.
  [/\s+/g, ' '],
];

const normalize = (text: string) =>
  VARIABLE_PARTS.reduce((normalized, [pattern, placeholder]) => normalized.replace(pattern, placeholder), text).trim();

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const matchesLine = (expected: string, line: string) =>
  new RegExp(`^${normalize(expected).split('…').map(escapeRegExp).join('.*')}$`).test(normalize(line));

/**
 * Returns the first expected line that is missing in the output. Expected lines must occur in order; other
 * lines may be between them. `…` matches any text, on its own line any lines.
 */
export function findMissingLine(expected: string, output: string): string | undefined {
  const lines = output.split('\n');
  let next = 0;
  return expected
    .split('\n')
    .filter(line => !['', '…'].includes(line.trim()))
    .find(line => {
      const found = lines.findIndex((candidate, index) => index >= next && matchesLine(line, candidate));
      next = found + 1;
      return found === -1;
    });
}

// Runs every shell block of a document in order and compares the output with the document. Only the blocks in
// `SKIPPED_BLOCKS` are skipped, and only texts that the document tells readers to replace are substituted.

const DEADLINE_MS = 60_000;

/** Exceptions for one block. */
interface BlockRule {
  /** Selects the block that contains this. */
  readonly contains: string | RegExp;
  /** Runs the block in another shell; the next block starts when the output matches. */
  readonly backgroundUntil?: RegExp;
  /** Stops the background shells first. */
  readonly stopsBackground?: boolean;
  /** Presses Ctrl-C when the output matches. */
  readonly interruptAt?: RegExp;
  /** Error codes that may occur in the output. */
  readonly errorCodes?: readonly string[];
  /** Expected failures: `exit code: start of the command`. */
  readonly failures?: readonly string[];
  /** Reason not to compare the output. */
  readonly uncomparedReason?: string;
  readonly expectOutput?: RegExp;
  readonly before?: () => unknown;
  /** Replaces the commands if the reader must copy values from previous output. */
  readonly rewrite?: (text: string, outputBefore: string) => string;
}

export interface DocumentOptions {
  /** Default: this checkout. */
  readonly checkout?: string;
  /** Per block. */
  readonly deadlineMs?: number;
  /** Texts that the reader must replace, such as passwords and addresses. */
  readonly substitutions?: readonly (readonly [pattern: string | RegExp, replacement: string])[];
  /** Commands to run before the first block. */
  readonly setup?: string;
  readonly rules?: readonly BlockRule[];
  /** Called after each block. */
  onBlock?(block: ShellBlock, durationMs: number): void;
}

export const readDocument = (document: string, checkout = PROJECT): string =>
  readFileSync(path.join(checkout, document), 'utf8');

export function findBlock(document: string, contains: string): string {
  const found = shellBlocks(readDocument(document)).find(({ text }) => text.includes(contains));
  if (found === undefined) throw new Error(`${document} has no block with ${contains}`);
  return found.text;
}

const matchesBlock = ({ contains }: BlockRule, { text }: ShellBlock) =>
  typeof contains === 'string' ? text.includes(contains) : contains.test(text);

const findErrorCodes = (output: string) => [...output.matchAll(/"type":"\/docs#(\w+)"/g)].map(([, code]) => code);

function checkBlock(
  rule: BlockRule | undefined,
  expected: string,
  { output, failures }: { readonly output: string; readonly failures: readonly string[] },
): readonly string[] {
  const unexpected = failures.filter(candidate => !rule?.failures?.some(failure => candidate.startsWith(failure)));
  const rejected = findErrorCodes(output).filter(code => !rule?.errorCodes?.includes(code ?? ''));
  const missing = rule?.uncomparedReason === undefined ? findMissingLine(expected, output) : undefined;
  return [
    ...unexpected.map(failure => `failed with ${failure}`),
    ...rejected.map(code => `unexpected error code: ${code}`),
    ...(missing === undefined ? [] : [`missing in the output: ${missing}`]),
    ...(rule?.expectOutput?.test(output) === false ? [`the output does not match ${rule.expectOutput}`] : []),
  ];
}

export async function runDocument(
  document: string,
  { terminal }: { readonly terminal: SessionOptions },
  options: DocumentOptions = {},
): Promise<void> {
  const { checkout, deadlineMs = DEADLINE_MS, substitutions = [], setup, rules = [], onBlock } = options;
  const substitute = (text: string) =>
    substitutions.reduce((changed, [pattern, replacement]) => changed.replaceAll(pattern, replacement), text);
  const blocks = shellBlocks(readDocument(document, checkout)).filter(block => !isSkipped(document, block));
  if (blocks.length === 0) throw new Error(`${document} has no shell block`);
  const unused = rules.filter(rule => !blocks.some(block => matchesBlock(rule, block)));
  if (unused.length > 0) throw new Error(`${document} has no block with ${unused.map(({ contains }) => contains)}`);
  const session = new ShellSession(terminal);
  let background: ShellSession[] = [];
  let previousOutput = '';
  const stopOthers = async () => {
    const stopped = background;
    background = [];
    await Promise.all(stopped.map(other => other.stop(deadlineMs)));
  };
  const runBlock = async (block: ShellBlock, rule: BlockRule | undefined) => {
    if (rule?.stopsBackground) await stopOthers();
    await rule?.before?.();
    const substituted = substitute(block.text);
    const text = rule?.rewrite?.(substituted, previousOutput) ?? substituted;
    if (rule?.backgroundUntil !== undefined) {
      const other = new ShellSession(terminal);
      background.push(other);
      other.start(text);
      await other.waitForOutput(rule.backgroundUntil, deadlineMs);
      return [];
    }
    session.start(text);
    if (rule?.interruptAt !== undefined) {
      await session.waitForOutput(rule.interruptAt, deadlineMs);
      session.interrupt();
    }
    const result = await session.waitForEnd(deadlineMs);
    previousOutput += result.output;
    return checkBlock(rule, substitute(block.expected), result).map(error => `${error}\n${result.output}`);
  };
  try {
    if (setup !== undefined) {
      const { failures, output } = await session.run(substitute(setup), deadlineMs);
      if (failures.length > 0) throw new Error(`before ${document}: ${failures.join(', ')}\n${output}`);
    }
    for (const block of blocks) {
      const rule = rules.find(candidate => matchesBlock(candidate, block));
      const startedMs = performance.now();
      const errors = await runBlock(block, rule).catch((error: unknown) => [String(error)]);
      if (errors.length > 0)
        throw new Error(`${document}:${block.line}: ${errors.join('\n')}\n--- typed:\n${block.text}`);
      onBlock?.(block, performance.now() - startedMs);
    }
  } finally {
    await stopOthers().finally(() => session.close());
  }
}
