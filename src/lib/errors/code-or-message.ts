import { errorCode } from './error-code.ts';
import { messageOf } from './message-of.ts';

/** Why something failed, as short as it is known: its code, or what it says where it has none. */
export const codeOrMessage = (error: unknown): string => errorCode(error) || messageOf(error);
