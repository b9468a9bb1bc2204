import { useState } from 'react';
import { TextArea, TextField } from '../ui/forms/field.tsx';
import { encodeBase64, encodeKeyText } from './enrolment-input.ts';
import styles from './private-key-field.module.css';

const [FILE_FIELD, TEXT_FIELD] = ['key_file', 'key_text'];

/**
 * Returns an empty string if the form has no key. The key is read on submit and not stored in the browser.
 */
export async function readPrivateKey(form: FormData): Promise<string> {
  const file = form.get(FILE_FIELD);
  if (file instanceof File && file.size > 0) return encodeBase64(new Uint8Array(await file.arrayBuffer()));
  const text = String(form.get(TEXT_FIELD) ?? '');
  return text.trim() === '' ? '' : encodeKeyText(text);
}

const HINT =
  'Unencrypted key in OpenSSH, PKCS#8 or PEM format. The server stores it encrypted. It is not kept in the browser.';

export function PrivateKeyField({ error }: { readonly error?: string | undefined }) {
  const [isPasted, setPasted] = useState(false);
  return (
    <div className={styles.fields}>
      {isPasted ? (
        <TextArea
          label="Private key"
          name={TEXT_FIELD}
          rows={5}
          required
          autoComplete="off"
          placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          hint={HINT}
          error={error}
        />
      ) : (
        <TextField label="Private key" name={FILE_FIELD} type="file" required hint={HINT} error={error} />
      )}
      <button type="button" className={styles.link} onClick={() => setPasted(before => !before)}>
        {isPasted ? 'Upload a file instead' : 'Paste the key instead'}
      </button>
    </div>
  );
}
