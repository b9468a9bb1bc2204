/** Words of the contract: what stands between backticks is code. */
export const HintWords = ({ children }: { readonly children: string }) =>
  children.split('`').map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <code key={key}>{part}</code> : <span key={key}>{part}</span>;
  });
