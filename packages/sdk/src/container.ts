// The order matters: tsyringe loads between the two ends of the loan, and nothing else does.
import { endLoan } from './metadata-loan.ts';
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';

endLoan();

export { container, instanceCachingFactory, type DependencyContainer, type InjectionToken };
