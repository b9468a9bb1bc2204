import type { TypedToken } from '../../fleet/token-wish.ts';
import { tokenWish } from '../../fleet/token-wish.ts';

/** What was typed of the script; an empty text is left out. */
export const NO_SCRIPT = { url: '', remote_user: '', ca: '' };
export type TypedScript = Readonly<typeof NO_SCRIPT>;

/** What is asked for. */
export function userDataWish(token: TypedToken, script: TypedScript) {
  const [url, user, ca] = [script.url.trim(), script.remote_user.trim(), script.ca.trim()];
  return {
    ...tokenWish(token),
    ...(url !== '' && { url }),
    ...(user !== '' && { remote_user: user }),
    ...(ca !== '' && { ca }),
  };
}
