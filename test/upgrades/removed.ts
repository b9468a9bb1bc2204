// What a later version does not have any more, and a kept one has. docs/reference/versioning.md has the promises.

import { SHORTEST_NOTICE_DAYS } from '../../src/contract/deprecation.ts';
import { DAY_MS } from '../../src/lib/time/day.ts';

export interface Removal {
  /** As it stands in the kept interface. */
  readonly line: string;
  /** What the changelog calls it. */
  readonly called: string;
  readonly goneIn: { readonly version: string; readonly day: string };
  /** Where and since when it was deprecated; nothing for what was unsafe, and so taken away at once. */
  readonly deprecatedIn?: { readonly version: string; readonly day: string };
}

/** A line whose type is another one now was taken away, too. */
export const REMOVED: readonly Removal[] = [];

/** What the changelog says of a version under one of its headings. */
export function changelogPart(changelog: string, version: string, heading: string): string {
  const [, section = ''] = changelog.split(`\n## [${version}]`);
  const [, part = ''] = (section.split('\n## ')[0] ?? '').split(`\n### ${heading}\n`);
  return part.split('\n### ')[0] ?? '';
}

/** A thing is still there in one release with another middle number than that which has deprecated it. */
function isSoon(from: string, to: string): boolean {
  const [[major = 0, middle = 0], [laterMajor = 0, laterMiddle = 0]] = [
    from.split('.').map(Number),
    to.split('.').map(Number),
  ];
  return laterMajor === major && laterMiddle < middle + 2;
}

/** What a removal does not keep of the promises. */
export function removalProblem(removal: Removal, changelog: string): string | undefined {
  const { called, goneIn, deprecatedIn } = removal;
  const tells = (version: string, heading: string) =>
    changelogPart(changelog, version, heading).includes(called);
  if (deprecatedIn === undefined)
    return tells(goneIn.version, 'Security') ? undefined : 'the changelog does not say why it was unsafe';
  if (!tells(deprecatedIn.version, 'Deprecated')) return 'the changelog never called it deprecated';
  if (!tells(goneIn.version, 'Removed')) return 'the changelog does not call it removed';
  if (Date.parse(goneIn.day) - Date.parse(deprecatedIn.day) < SHORTEST_NOTICE_DAYS * DAY_MS)
    return 'too little time';
  return isSoon(deprecatedIn.version, goneIn.version) ? 'no release in between had it' : undefined;
}
