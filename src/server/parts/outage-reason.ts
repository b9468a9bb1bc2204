import type { StoreUnavailableError } from '../../domain/errors.ts';
import { errorCode } from '../../lib/errors/error-code.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { harmless } from '../../lib/text/harmless.ts';

/** Why the store cannot be reached, in one line. A name with several addresses fails for each, and with no message of its own. */
export const outageReason = ({ cause }: StoreUnavailableError): string =>
  harmless(messageOf(cause) || errorCode(cause));
