import { getFieldText, toTokenInput } from '../../enrolment/enrolment-input.ts';

export function toUserDataInput(form: FormData) {
  const [url, user, ca] = ['url', 'remote_user', 'ca'].map(name => getFieldText(form, name));
  return {
    ...toTokenInput(form),
    ...(url && { url }),
    ...(user && { remote_user: user }),
    ...(ca && { ca }),
  };
}
