/** What people say of a host, by key. */
export type Labels = Readonly<Record<string, string>>;

/** What a host must carry to be in a list: this label with this value, or with any. */
export interface LabelFilter {
  readonly key: string;
  readonly value?: string;
}

/** `key=value`, or `key` alone. */
export function parseLabelFilter(text: string): LabelFilter {
  const [, key = text, value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  return value === undefined ? { key } : { key, value };
}
