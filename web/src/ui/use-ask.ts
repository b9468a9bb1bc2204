import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/** Something that is asked of the service by a press of a button: whether it is under way, and why it was refused. */
export function useAsk<Input = void>(ask: (input: Input) => Promise<unknown>, onDone?: () => void) {
  const isAsked = useRef(false);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ask,
    onSuccess: () => onDone?.(),
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
  return { run, isBusy: isPending, problem: error ?? undefined, forget: reset };
}
