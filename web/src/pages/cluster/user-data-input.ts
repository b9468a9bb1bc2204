import type { TokenFormValues } from '../../enrolment/enrolment-input.ts';
import { toTokenInput } from '../../enrolment/enrolment-input.ts';

/** What was typed of the script; an empty text is left out. */
export const EMPTY_USER_DATA_FORM = { url: '', remote_user: '', ca: '' };
export type UserDataFormValues = Readonly<typeof EMPTY_USER_DATA_FORM>;

/** What is asked for. */
export function toUserDataInput(token: TokenFormValues, script: UserDataFormValues) {
  const [url, user, ca] = [script.url.trim(), script.remote_user.trim(), script.ca.trim()];
  return {
    ...toTokenInput(token),
    ...(url !== '' && { url }),
    ...(user !== '' && { remote_user: user }),
    ...(ca !== '' && { ca }),
  };
}
