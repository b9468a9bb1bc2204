/** A part of a sentence that leads to a page. */
export interface EventLink {
  readonly text: string;
  /** Where it begins in the sentence. */
  readonly at: number;
  /** As the router has it: `$name` stands for one of `params`, whatever letters that has. */
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string>>;
}

export interface EventWords {
  readonly text: string;
  /** In the order in which they stand in the text. */
  readonly links: readonly EventLink[];
}

export type PageLink = Omit<EventLink, 'at'>;

export const page = (text: string, to: string, more: Pick<PageLink, 'params' | 'search'> = {}): PageLink => ({
  ...{ text, to },
  ...more,
});

/** A tag for templates: texts and links become one sentence. Texts in it are as they are; `undefined` is nothing. */
export function linked(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | PageLink | EventWords | undefined)[]
): EventWords {
  let text = strings[0] ?? '';
  const links: EventLink[] = [];
  for (const [index, value] of values.entries()) {
    if (typeof value === 'object' && 'links' in value) {
      for (const link of value.links) links.push({ ...link, at: link.at + text.length });
      text += value.text;
    } else if (typeof value === 'object') {
      links.push({ ...value, at: text.length });
      text += value.text;
    } else text += value ?? '';
    text += strings[index + 1] ?? '';
  }
  return { text, links };
}

/** A sentence in its parts, for whoever draws it. */
export function partsOf({ text, links }: EventWords): readonly (string | EventLink)[] {
  const parts: (string | EventLink)[] = [];
  let from = 0;
  for (const link of links) {
    if (link.at > from) parts.push(text.slice(from, link.at));
    parts.push(link);
    from = link.at + link.text.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
