import { Secret } from '../../domain/secret.ts';
import { readableKeyText } from '../../lib/ssh-forms/readable-key-text.ts';

/** A private key, base64 of any form that we take, as a text that every SSH program reads. */
export const readableKey = (base64: Secret): Secret => new Secret(readableKeyText(base64.reveal()));
