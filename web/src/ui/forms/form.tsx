import { useMutation } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import { useEffect, useRef } from 'react';
import styles from './form.module.css';

interface FormProps {
  /** With what stands in the fields that have a name. */
  readonly onSubmit: (formData: FormData) => void;
  readonly isLoading: boolean;
  /** Why it was refused the last time. */
  readonly error: unknown;
  readonly children: ReactNode;
}

/** Leads to the first field that is not right, when there is a new problem. */
export function useInvalidFocus(error: unknown): RefObject<HTMLFormElement | null> {
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  return element;
}

/** A form that is sent once at a time, keeps what was typed when it is refused, and leads to the first field that is not right. */
export function Form({ onSubmit, isLoading, error, children }: FormProps) {
  const element = useInvalidFocus(error);
  return (
    <form
      ref={element}
      className={styles.form}
      onSubmit={event => {
        event.preventDefault();
        if (!isLoading) onSubmit(new FormData(event.currentTarget));
      }}
    >
      {children}
    </form>
  );
}

/** Something that is asked of the service by a press of a button: whether it is under way, what was answered, and why it was refused. */
export function useAction<Result, Input = void>(
  action: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const isRunning = useRef(false);
  const { mutate, data, isPending, error, reset } = useMutation({
    mutationFn: action,
    onSuccess: result => onDone?.(result),
    onSettled: () => {
      isRunning.current = false;
    },
  });
  /** A second press before the first is drawn asks for nothing. */
  const run = (input: Input) => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutate(input);
  };
  return { run, result: data, isLoading: isPending, error: error ?? undefined, reset };
}
