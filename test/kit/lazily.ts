/** Stands for a value that is made before each test, or before all of them: it is read when it is used. */
export function lazily<T extends object>(value: () => T): T {
  return new Proxy({} as T, { get: (_, name) => Reflect.get(value(), name) });
}
