import type { TokenFormValues } from '../../enrolment/enrolment-input.ts';
import { toTokenInput } from '../../enrolment/enrolment-input.ts';

/** An empty value is omitted from the request. */
export const EMPTY_USER_DATA_FORM = { url: '', remote_user: '', ca: '' };
export type UserDataFormValues = Readonly<typeof EMPTY_USER_DATA_FORM>;

export function toUserDataInput(token: TokenFormValues, script: UserDataFormValues) {
  const [url, user, ca] = [script.url.trim(), script.remote_user.trim(), script.ca.trim()];
  return {
    ...toTokenInput(token),
    ...(url !== '' && { url }),
    ...(user !== '' && { remote_user: user }),
    ...(ca !== '' && { ca }),
  };
}
