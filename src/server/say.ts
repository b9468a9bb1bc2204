/** To the person at the machine. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
