// A walkthrough is a document with commands that a reader runs one after the other, in one shell: its blocks marked `sh`. What a block
// prints is shown below it, indented by four spaces. So the document itself says what has to come out.

export interface WalkthroughStep {
  /** Where its commands begin in the document. */
  readonly line: number;
  readonly script: string;
  /** What the document shows of its output. */
  readonly shown: readonly string[];
}

interface Unfinished {
  readonly line: number;
  readonly script: string[];
  readonly shown: string[];
}

export function readWalkthrough(text: string): WalkthroughStep[] {
  const steps: Unfinished[] = [];
  let fence: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const current = steps.at(-1);
    if (line.startsWith('```')) {
      fence = fence === undefined ? line.slice(3) : undefined;
      if (fence === 'sh') steps.push({ line: index + 2, script: [], shown: [] });
    } else if (fence === 'sh') current?.script.push(line);
    else if (fence === undefined && line.startsWith('    ')) current?.shown.push(line.slice(4));
  }
  return steps.map(({ line, script, shown }) => ({ line, script: script.join('\n'), shown }));
}
