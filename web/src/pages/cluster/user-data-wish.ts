/** What was typed; an empty text is left out. */
export const NO_USER_DATA = { uses: '', hours: '', cidr: '', url: '', remote_user: '', ca: '' };
export type UserDataDraft = Readonly<typeof NO_USER_DATA>;

export interface UserDataWish {
  readonly uses?: number;
  readonly expires_in_s?: number;
  readonly cidr?: string;
  readonly url?: string;
  readonly remote_user?: string;
  readonly ca?: string;
}

const HOUR_S = 3600;

/** Numbers that are none go as they are not: the service says what they must be. */
const numberIn = (text: string, factor = 1) => (text.trim() === '' ? undefined : Number(text) * factor);
const textIn = (text: string) => (text.trim() === '' ? undefined : text.trim());

export function userDataWish({ uses, hours, ...texts }: UserDataDraft): UserDataWish {
  const fields = {
    uses: numberIn(uses),
    expires_in_s: numberIn(hours, HOUR_S),
    cidr: textIn(texts.cidr),
    url: textIn(texts.url),
    remote_user: textIn(texts.remote_user),
    ca: textIn(texts.ca),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
