import { REPORT_ERROR } from '../script-error.ts';
import { ANSWER_BEGIN } from './mark.ts';

/** `answer WORD` and `fail ACTION OUTPUT`: each removes the prepared files, prints one line and exits. */
export const ANSWER = `${REPORT_ERROR}
answer() {
  rm -f "$file" "$file.word"
  printf '${ANSWER_BEGIN} %s\\n' "$1"
  exit 0
}
fail() {
  rm -f "$file" "$file.word"
  report_error "$@"
  exit 1
}`;
