// The order matters: tsyringe loads between the two ends of the loan, and nothing else does.
import { endLoan } from './metadata-loan.ts';
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';

endLoan();

export type { DependencyContainer, InjectionToken };

/** A bundle drops a module whose exports are those of another: these functions keep the end of the loan in it. */
export function createContainer(): DependencyContainer {
  return container.createChildContainer();
}

/** Registers a part that is made when it is first resolved, and once. */
export function provide<T>(
  scope: DependencyContainer,
  name: InjectionToken<T>,
  make: (within: DependencyContainer) => T,
): void {
  scope.register(name, { useFactory: instanceCachingFactory(make) });
}
