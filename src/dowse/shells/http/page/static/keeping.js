// What is remembered between visits? Choices of the reader; in a browser that keeps nothing the page works all the same.

export function kept(name, storage = "localStorage") {
  try {
    return globalThis[storage].getItem(`dowse.${name}`);
  } catch {
    return null;
  }
}

export function keep(name, value, storage = "localStorage") {
  try {
    globalThis[storage].setItem(`dowse.${name}`, value);
  } catch {
    // Good for this visit then.
  }
}
