// What there is to select from, beside the clusters: the systems and labels that hosts have.

import type { HostRow } from '../../fleet/fleet.ts';
import type { Labels } from '../../fleet/labels.ts';
import { labelTexts } from '../../fleet/labels.ts';
import { whileAlike } from '../../fleet/while-alike.ts';

export interface HostChoices {
  readonly systems: readonly string[];
  /** As people write them. */
  readonly labels: readonly string[];
}

/** A list that is longer helps nobody. */
const MOST_LABELS = 200;

/** Labels of all kinds, and how many there are. */
class LabelKinds {
  readonly #values = new Map<string, Set<string>>();
  #size = 0;

  /** Without a text for each, which takes ten times as long. */
  add(labels: Labels): void {
    if (this.#size >= MOST_LABELS) return;
    for (const key in labels) {
      const [value = '', values = new Set<string>()] = [labels[key], this.#values.get(key)];
      if (values.has(value)) continue;
      this.#values.set(key, values.add(value));
      this.#size += 1;
    }
  }

  texts(): readonly string[] {
    return [...this.#values].flatMap(([key, values]) =>
      [...values].flatMap(value => labelTexts({ [key]: value })),
    );
  }
}

function choicesAmong(rows: readonly HostRow[]): HostChoices {
  const [systems, labels] = [new Set<string>(), new LabelKinds()];
  for (const row of rows) {
    if (row.os !== '') systems.add(row.os);
    labels.add(row.labels);
  }
  return { systems: [...systems].sort(), labels: labels.texts().toSorted() };
}

const hasSameChoices = (some: HostRow, other: HostRow): boolean =>
  some.labels === other.labels && some.os === other.os;

/** Answers the same choices for as long as hosts have the same labels and systems. */
export const newChoices = () => whileAlike(hasSameChoices, choicesAmong);
