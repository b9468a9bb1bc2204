import type { ButtonHTMLAttributes } from 'react';
import { useId } from 'react';
import styles from './button.module.css';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'className'> {
  readonly variant?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly size?: 'medium' | 'small';
  readonly isLoading?: boolean;
  /** Disables the button and explains why. The button stays focusable so that the reason can be read. */
  readonly disabledReason?: string | undefined;
}

export function Button({
  variant = 'plain',
  size = 'medium',
  isLoading = false,
  disabledReason,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const isDisabled = isLoading || disabledReason !== undefined;
  return (
    <>
      <button
        {...rest}
        type={type}
        className={`${styles.button} ${styles[variant]} ${styles[size]}`}
        aria-disabled={isDisabled || undefined}
        aria-busy={isLoading || undefined}
        aria-describedby={disabledReason === undefined ? rest['aria-describedby'] : reasonId}
        title={disabledReason ?? rest.title}
        onClick={event => {
          if (isDisabled) event.preventDefault();
          else onClick?.(event);
        }}
      >
        {isLoading && <span className={styles.spinner} aria-hidden="true" />}
        {children}
      </button>
      {disabledReason !== undefined && (
        <span id={reasonId} className="sr-only">
          {disabledReason}
        </span>
      )}
    </>
  );
}
