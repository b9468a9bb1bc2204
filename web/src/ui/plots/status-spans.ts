/** A change of a status: when, and from what. `undefined`: a word that is not known here. */
export interface StatusChange<Word> {
  readonly atMs: number;
  readonly from: Word | undefined;
}

/** In milliseconds since 1970. */
interface Span<Word> {
  readonly from: number;
  readonly to: number;
  readonly word: Word;
}

interface Shown<Word> {
  readonly now: Word;
  /** Nothing is shown of the time before. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

/** Which status something had when, oldest first, from its changes, newest first. What is now has the last word. */
export function statusSpans<Word>(
  changes: readonly StatusChange<Word>[],
  { now, sinceMs, nowMs }: Shown<Word>,
): readonly Span<Word>[] {
  const spans: Span<Word>[] = [];
  let [endMs, word]: [number, Word | undefined] = [nowMs, now];
  for (const change of changes) {
    const atMs = Math.max(change.atMs, sinceMs);
    if (word !== undefined && endMs > atMs) spans.push({ from: atMs, to: endMs, word });
    [endMs, word] = [Math.min(endMs, atMs), change.from];
    if (change.atMs <= sinceMs) break;
  }
  if (word !== undefined && endMs > sinceMs) spans.push({ from: sinceMs, to: endMs, word });
  return spans.reverse();
}
