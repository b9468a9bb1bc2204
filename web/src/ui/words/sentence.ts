/** Names of fields, and addresses, stay as they are. */
const isWord = (text: string) => /^[a-z]+(?=[ ,:]|$)/.test(text);

/** With a capital at its beginning. */
export const begun = (text: string): string =>
  isWord(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** What the service says, as a sentence: with a capital and a full stop. Nothing stays nothing. */
export const sentence = (text: string): string =>
  text === '' || /[.!?]$/.test(text) ? begun(text) : `${begun(text)}.`;
