import type { Argv } from '../../../src/domain/command.ts';

export interface ParsedLoginScript {
  /** Marker that the script prints first on both streams. */
  readonly mark: string;
  readonly argv: Argv;
  readonly asRoot: boolean;
  /** Standard input of the command. */
  readonly input: string | undefined;
}

const MARK = /^printf '%s\\n' (\w+)$/m;
const EXEC = /^exec (sudo -n -- )?(?=')/m;
/** One shell word: quoted parts with escaped quotes between them. */
const WORD = /((?:'[^']*'|\\')+) /y;

const unquote = (quoted: string): string => quoted.replaceAll(/'([^']*)'|\\(')/g, '$1$2');

function parseWords(text: string, start: number): { words: readonly string[]; end: number } {
  const words: string[] = [];
  WORD.lastIndex = start;
  let end = start;
  for (let found = WORD.exec(text); found; found = WORD.exec(text)) {
    words.push(unquote(found[1] ?? ''));
    end = WORD.lastIndex;
  }
  return { words, end };
}

/** Parses the output of `commandScript`; `undefined` for other scripts. */
export function parseLoginScript(script: string): ParsedLoginScript | undefined {
  const mark = MARK.exec(script)?.[1];
  const exec = EXEC.exec(script);
  if (mark === undefined || exec === null) return undefined;
  const { words, end } = parseWords(script, exec.index + exec[0].length);
  const [program, ...args] = words;
  if (program === undefined) return undefined;
  const command = { mark, argv: [program, ...args] as const, asRoot: exec[1] !== undefined };
  const rest = script.slice(end);
  if (rest === '</dev/null\n') return { ...command, input: undefined };
  const [opening, closing] = [`<<'${mark}'\n`, `${mark}\n`];
  if (!rest.startsWith(opening) || !rest.endsWith(closing)) return undefined;
  return { ...command, input: rest.slice(opening.length, -closing.length) };
}
