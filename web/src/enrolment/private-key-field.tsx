import { useState } from 'react';
import { TextArea, TextField } from '../ui/forms/field.tsx';
import { encodeBase64, encodeKeyText } from './enrolment-input.ts';
import styles from './private-key-field.module.css';

/** Field name of the API. */
const NAME = 'ssh_priv_key';

/** Returns an empty string if the form has no key. The key is read on submit and not stored in the browser. */
export async function readPrivateKey(form: FormData): Promise<string> {
  const value = form.get(NAME) ?? '';
  if (value instanceof File) return value.size === 0 ? '' : encodeBase64(new Uint8Array(await value.arrayBuffer()));
  return value.trim() === '' ? '' : encodeKeyText(value);
}

const HINT =
  'Unencrypted key in OpenSSH, PKCS#8 or PEM format. The server stores it encrypted. It is not kept in the browser.';

export function PrivateKeyField() {
  const [isPasted, setPasted] = useState(false);
  return (
    <div className={styles.fields}>
      {isPasted ? (
        <TextArea
          label="Private key"
          name={NAME}
          rows={5}
          required
          autoComplete="off"
          placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          hint={HINT}
        />
      ) : (
        <TextField label="Private key" name={NAME} type="file" required hint={HINT} />
      )}
      <button type="button" className={styles.link} onClick={() => setPasted(before => !before)}>
        {isPasted ? 'Upload a file instead' : 'Paste the key instead'}
      </button>
    </div>
  );
}
