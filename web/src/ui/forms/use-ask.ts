import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/** Something that is asked of the service by a press of a button: whether it is under way, what was answered, and why it was refused. */
export function useAsk<Answer, Input = void>(
  ask: (input: Input) => Promise<Answer>,
  onDone?: (answer: Answer) => void,
) {
  const isAsked = useRef(false);
  const { mutate, data, isPending, error, reset } = useMutation({
    mutationFn: ask,
    onSuccess: answer => onDone?.(answer),
    onSettled: () => {
      isAsked.current = false;
    },
  });
  /** A second press before the first is drawn asks for nothing. */
  const run = (input: Input) => {
    if (isAsked.current) return;
    isAsked.current = true;
    mutate(input);
  };
  return { run, answer: data, isBusy: isPending, problem: error ?? undefined, forget: reset };
}
