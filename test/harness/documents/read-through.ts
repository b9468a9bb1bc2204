// Reads a document as somebody who types every block of it, in its order, and compares what is said with what the document shows.
// What must hold: nothing is left out but what the table of blocks that are not run names, and nothing is replaced but what the document
// tells its reader to replace.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../programs/process.ts';
import { isNotRun } from './not-run.ts';
import type { ShellBlock } from './shell-blocks.ts';
import { shellBlocks } from './shell-blocks.ts';
import type { SessionPlace } from './shell-session.ts';
import { ShellSession } from './shell-session.ts';
import { missingLine } from './shown-output.ts';

const DEADLINE_MS = 60_000;

/** What is to be known of a block, beside that it is typed, succeeds, and says what is shown. */
export interface BlockRule {
  /** It is the block that has this. */
  readonly has: string | RegExp;
  /** Typed in a terminal of its own, where it runs on; the next block waits until this is said. */
  readonly beside?: RegExp;
  /** What runs in other terminals is stopped before, as the document says. */
  readonly stopsOthers?: boolean;
  /** Ctrl-C is pressed when this was said. */
  readonly leftAt?: RegExp;
  /** Codes of refusals that the document tells of, or that are as good. */
  readonly refusals?: readonly string[];
  /** Commands that fail, as the document says: `exit code: beginning of the command`. */
  readonly failures?: readonly string[];
  /** Why what is shown cannot be compared. */
  readonly notCompared?: string;
  /** What has to be said. */
  readonly says?: RegExp;
  /** What somebody else does before it. */
  readonly before?: () => unknown;
  /** What is typed instead, where the document has the reader take something from what was said so far. */
  readonly typedAs?: (text: string, saidBefore: string) => string;
}

export interface Reading {
  /** The checkout whose document it is, if not this one. */
  readonly checkout?: string;
  /** How long a block may take. */
  readonly deadlineMs?: number;
  /** What the document tells to replace: a password for dots, the addresses of one's own servers. */
  readonly replaced?: readonly (readonly [what: string | RegExp, by: string])[];
  /** What the reader has typed before, as the document says. */
  readonly typedBefore?: string;
  readonly rules?: readonly BlockRule[];
  /** Told of each block that was typed, and how long it took. */
  onTyped?(block: ShellBlock, tookMs: number): void;
}

export const documentText = (document: string, checkout = PROJECT): string =>
  readFileSync(path.join(checkout, document), 'utf8');

/** The block of a document that has this, as other documents refer to it. */
export function blockOf(document: string, has: string): string {
  const found = shellBlocks(documentText(document)).find(({ text }) => text.includes(has));
  if (found === undefined) throw new Error(`${document} has no block with ${has}`);
  return found.text;
}

const isAbout = ({ has }: BlockRule, { text }: ShellBlock) =>
  typeof has === 'string' ? text.includes(has) : has.test(text);

const refusalsIn = (output: string) => [...output.matchAll(/"type":"\/docs#(\w+)"/g)].map(([, code]) => code);

function problemsOf(
  rule: BlockRule | undefined,
  shown: string,
  { output, failures }: { readonly output: string; readonly failures: readonly string[] },
): readonly string[] {
  const unforeseen = failures.filter(each => !rule?.failures?.some(failure => each.startsWith(failure)));
  const refused = refusalsIn(output).filter(code => !rule?.refusals?.includes(code ?? ''));
  const missing = rule?.notCompared === undefined ? missingLine(shown, output) : undefined;
  return [
    ...unforeseen.map(failure => `it failed with ${failure}`),
    ...refused.map(code => `it was refused: ${code}`),
    ...(missing === undefined ? [] : [`it does not say what is shown: ${missing}`]),
    ...(rule?.says?.test(output) === false ? [`it does not say ${rule.says}`] : []),
  ];
}

export async function readThrough(
  document: string,
  { terminal }: { readonly terminal: SessionPlace },
  reading: Reading = {},
): Promise<void> {
  const { checkout, deadlineMs = DEADLINE_MS, replaced = [], typedBefore, rules = [], onTyped } = reading;
  const asReplaced = (text: string) =>
    replaced.reduce((changed, [what, by]) => changed.replaceAll(what, by), text);
  const blocks = shellBlocks(documentText(document, checkout)).filter(block => !isNotRun(document, block));
  if (blocks.length === 0) throw new Error(`${document} has nothing to type`);
  const unused = rules.filter(rule => !blocks.some(block => isAbout(rule, block)));
  if (unused.length > 0) throw new Error(`${document} has no block with ${unused.map(({ has }) => has)}`);
  const session = new ShellSession(terminal);
  let others: ShellSession[] = [];
  let said = '';
  const stopOthers = async () => {
    const stopped = others;
    others = [];
    await Promise.all(stopped.map(other => other.stop(deadlineMs)));
  };
  const type = async (block: ShellBlock, rule: BlockRule | undefined) => {
    if (rule?.stopsOthers) await stopOthers();
    await rule?.before?.();
    const replacedText = asReplaced(block.text);
    const text = rule?.typedAs?.(replacedText, said) ?? replacedText;
    if (rule?.beside !== undefined) {
      const other = new ShellSession(terminal);
      others.push(other);
      other.begin(text);
      await other.says(rule.beside, deadlineMs);
      return [];
    }
    session.begin(text);
    if (rule?.leftAt !== undefined) {
      await session.says(rule.leftAt, deadlineMs);
      session.interrupt();
    }
    const typed = await session.end(deadlineMs);
    said += typed.output;
    return problemsOf(rule, asReplaced(block.shown), typed).map(problem => `${problem}\n${typed.output}`);
  };
  try {
    if (typedBefore !== undefined) {
      const { failures, output } = await session.run(asReplaced(typedBefore), deadlineMs);
      if (failures.length > 0) throw new Error(`before ${document}: ${failures.join(', ')}\n${output}`);
    }
    for (const block of blocks) {
      const rule = rules.find(each => isAbout(each, block));
      const begunMs = performance.now();
      const problems = await type(block, rule).catch((error: unknown) => [String(error)]);
      if (problems.length > 0)
        throw new Error(`${document}:${block.line}: ${problems.join('\n')}\n--- typed:\n${block.text}`);
      onTyped?.(block, performance.now() - begunMs);
    }
  } finally {
    await stopOthers().finally(() => session.close());
  }
}
